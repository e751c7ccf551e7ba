// What the test tells each of these bots.
export const apiRoot = process.env.API_ROOT;
export const token = process.env.BOT_TOKEN;
/// Without it the bot polls.
export const webhook = process.env.WEBHOOK_URL ? new URL(process.env.WEBHOOK_URL) : undefined;
export const secret = process.env.WEBHOOK_SECRET;
/// Files, for a webhook by https.
export const certificate = process.env.WEBHOOK_CERTIFICATE;
export const key = process.env.WEBHOOK_KEY;

export function stopOnSignal(stop) {
  process.once('SIGTERM', async () => {
    await stop();
    process.exit(0);
  });
}
