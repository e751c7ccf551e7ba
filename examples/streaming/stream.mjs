// Prints each update and settles it. TGKEEP_BOT=http://127.0.0.1:8481/bot<token> node stream.mjs
async function ask(what, body) {
  const answer = await fetch(`${process.env.TGKEEP_BOT}/tgkeep/${what}`, body && { method: "POST", body });
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  return answer;
}
for (let text = ""; ; text = "") {
  try {
    for await (const piece of (await ask("updates")).body.pipeThrough(new TextDecoderStream())) {
      const lines = (text + piece).split("\n");
      text = lines.pop();
      if (lines.includes("event: replaced")) process.exit(1); // Another one took over.
      for (const line of lines.filter((line) => line.startsWith('data: {"update_id"'))) {
        console.log(line.slice(6)); // Work here; "retry" instead of "done" brings the update back later.
        await (await ask("settle", `{"update_id":${JSON.parse(line.slice(6)).update_id},"action":"done"}`)).text();
      }
    }
  } catch (error) { console.error(error.cause ?? error); }
  await new Promise((wake) => setTimeout(wake, 1000));
}
