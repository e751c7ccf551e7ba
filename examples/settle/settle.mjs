// Tells tgkeep how each update ended, for bots that fetch them at the API root …/settle: there an update is done when
// this says so, not when the bot asks for the next one.
//
//   const apiRoot = 'http://127.0.0.1:8481/settle';
//   bot.use(settle({ apiRoot, token }));        // as the first middleware
import { setTimeout as sleep } from 'node:timers/promises';

/// For all whose middleware is (context, next).
export function settle({ apiRoot, token }) {
  const settled = settler({ apiRoot, token });
  return (ctx, next) => settled(ctx.update?.update_id ?? ctx.updateId, next);
}

/// For a loop of your own: await settled(update.update_id, () => handle(update)).
export function settler({ apiRoot, token }) {
  const url = `${apiRoot}/bot${token}/tgkeep/settle`;
  return async (updateId, work) => {
    try {
      await work();
    } catch (error) {
      await tell(url, { update_id: updateId, action: 'retry', error: String(error) }).catch(console.error);
      throw error;
    }
    await tell(url, { update_id: updateId, action: 'done' });
  };
}

async function tell(url, settlement) {
  const request = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(settlement) };
  for (let wait = 100; ; wait = Math.min(2 * wait, 10_000)) {
    const [status, text] = await fetch(url, request)
      .then(async (answer) => [answer.status, await answer.text()])
      .catch(() => [0, '']);
    if (status >= 200 && status < 300) return;
    // It was settled before, or comes again by itself.
    if (status === 409 || (status === 404 && text.includes('not in hand'))) return;
    // A wrong token or address, or a settlement that tgkeep can't read: asking again would not help.
    if (status >= 300 && status < 500 && status !== 429)
      throw new Error(`update ${settlement.update_id} was not settled: ${status} ${text}`);
    await sleep(wait);
  }
}
