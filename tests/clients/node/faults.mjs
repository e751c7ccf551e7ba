// node --import faults.mjs RECIPE: stands between the HTTP server and the framework, notes each request and answer, and
// answers itself, or changes the answer, where the plan says so.
import http from "node:http";
import { note, planned } from "./journal.mjs";

const met = new Set();
const emit = http.Server.prototype.emit;

http.Server.prototype.emit = function (event, request, response) {
  const id = Number(request?.headers?.["tgkeep-update-id"]);
  if (event !== "request" || !id) return emit.apply(this, arguments);
  note("request", id, request.headers["tgkeep-attempt"], request.headers["tgkeep-epoch"]);
  const first = !met.has(id);
  met.add(id);
  const answer = first ? planned(id) : "200";

  if (answer === "hang_up") {
    note("answer", id, answer);
    request.socket.destroy();
  } else if (/^[345]/.test(answer)) {
    const [status, retry_after] = answer.split("+");
    if (retry_after) response.setHeader("Retry-After", retry_after);
    if (status === "302") response.setHeader("Location", "/elsewhere");
    response.writeHead(Number(status)).end("<html>no</html>", () => {});
  } else {
    return emit.apply(this, arguments);
  }
  return true;
};

// Every answer passes here, whoever gives it.
const writeHead = http.ServerResponse.prototype.writeHead;
http.ServerResponse.prototype.writeHead = function (status, ...rest) {
  const id = Number(this.req.headers["tgkeep-update-id"]);
  if (!id) return writeHead.call(this, status, ...rest);
  const answer = planned(id);
  if (status === 200 && answer === "hang_up_after" && !met.has(-id)) {
    met.add(-id);
    note("answer", id, answer);
    this.req.socket.destroy();
    return writeHead.call(this, status, ...rest);
  }
  if (status === 200 && (answer === "201" || answer === "204")) status = Number(answer);
  if (status === 204) this.removeHeader("Content-Length");
  note("answer", id, status);
  return writeHead.call(this, status, ...rest);
};
