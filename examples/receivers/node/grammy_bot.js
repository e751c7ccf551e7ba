// Your bot: any grammY middleware. When it has ended, the update is done for good; when it throws, tgkeep hands it over
// again later. (`bot.catch` is for long polling only: under webhooks grammY gives every error to the web framework.)
import { Composer } from "grammy";

const composer = new Composer();
composer.on("message:text", (context) => context.reply(context.message.text));
export default composer;
