// What the test tells each of these bots.
export const apiRoot = process.env.API_ROOT;
export const token = process.env.BOT_TOKEN;
/// poll, settle or webhook.
export const mode = process.env.MODE;
/// Where it takes updates.
export const webhook = process.env.WEBHOOK_URL ? new URL(process.env.WEBHOOK_URL) : undefined;
export const secret = process.env.WEBHOOK_SECRET;
