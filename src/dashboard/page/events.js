// The stream of events: connects, and connects again, for as long as the page is open.
import {get, read} from "./api.js";

const SILENCE_MS = 5000;
const PAUSES_MS = [500, 1000, 2000, 5000];

/** Why the stream was refused, which an EventSource keeps to itself. */
async function refusal() {
  const enough = new AbortController();
  try {
    const answer = await fetch("api/events", {signal: enough.signal});
    return answer.ok ? "the connection broke" : read(await answer.text()).error.text;
  } catch {
    return "the connection broke";
  } finally {
    enough.abort();
  }
}

/** `heard` has `status(object)`, `update(object)` and `link(up, since, text)`; the last one is told of every change. */
export function listen(heard) {
  let stream = null;
  let watch = 0;
  let again = 0;
  let failures = 0;
  let lastHeard = null;
  let stopped = true;

  function alive() {
    lastHeard = Date.now();
    failures = 0;
    clearTimeout(watch);
    watch = setTimeout(() => lost("tgkeep says nothing"), SILENCE_MS);
    heard.link(true, lastHeard, "");
  }

  function hangUp() {
    clearTimeout(watch);
    clearTimeout(again);
    stream?.close();
    stream = null;
  }

  async function lost(text) {
    if (stopped) return;
    hangUp();
    heard.link(false, lastHeard, text);
    const pause = PAUSES_MS[Math.min(failures, PAUSES_MS.length - 1)];
    failures += 1;
    again = setTimeout(connect, pause);
  }

  async function connect() {
    // An event stream can't tell why it was refused; this can, and leads to the login.
    try {
      await get("api/status");
    } catch (refused) {
      if (refused.status !== 401) lost(refused.status ? refused.message : "tgkeep does not answer");
      return;
    }
    if (stopped || stream) return;
    stream = new EventSource("api/events");
    watch = setTimeout(() => lost("tgkeep says nothing"), SILENCE_MS);
    stream.addEventListener("status", (event) => {
      alive();
      heard.status(read(event.data));
    });
    stream.addEventListener("update", (event) => {
      alive();
      heard.update(read(event.data));
    });
    stream.addEventListener("error", async (event) => {
      const refused = event.target.readyState === EventSource.CLOSED;
      lost(refused ? await refusal() : "the connection broke");
    });
  }

  return {
    start() {
      hangUp();
      stopped = false;
      failures = 0;
      connect();
    },
    stop() {
      stopped = true;
      hangUp();
    },
  };
}
