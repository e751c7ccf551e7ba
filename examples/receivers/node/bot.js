// Your bot. `handle` gets one update, as Telegram sends it; when it returns, the update is done for good; when it throws,
// tgkeep hands it over again later. `attempt` is 1 the first time.
export async function handle(update, { attempt }) {
  const message = update.message;
  if (message) console.log(`chat ${message.chat.id}: ${message.text ?? "something else"} (attempt ${attempt})`);
}
