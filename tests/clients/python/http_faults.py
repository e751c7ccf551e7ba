"""The recipe's receiver, which notes each request and answer, and answers itself, or changes the answer, where the plan says
so."""

import http_server
from journal import Once, note, planned

first = Once()
first_answer = Once()


class Receiver(http_server.Receiver):
    def do_POST(self):
        self.update_id = int(self.headers.get("Tgkeep-Update-Id", "0"))
        if not self.update_id:
            return super().do_POST()
        note("request", self.update_id, self.headers["Tgkeep-Attempt"], self.headers["Tgkeep-Epoch"])
        answer = planned(self.update_id)
        if first(self.update_id):
            if answer == "hang_up":
                return self.hang_up(answer)
            if answer[0] in "345":
                return self.refuse(answer)
        super().do_POST()

    def answer(self, status):
        if self.update_id:
            answer = planned(self.update_id)
            if status == 200 and answer == "hang_up_after" and first_answer(self.update_id):
                return self.hang_up(answer)
            if status == 200 and answer in ("201", "204"):
                status = int(answer)
            note("answer", self.update_id, status)
        super().answer(status)

    def refuse(self, answer):
        self.rfile.read(int(self.headers["Content-Length"]))
        status, _, retry_after = answer.partition("+")
        note("answer", self.update_id, status)
        self.send_response(int(status))
        self.send_header("Content-Length", "15")
        self.send_header("Location", "/elsewhere")
        if retry_after:
            self.send_header("Retry-After", retry_after)
        self.end_headers()
        self.wfile.write(b"<html>no</html>")

    def hang_up(self, answer):
        note("answer", self.update_id, answer)
        self.close_connection = True


http_server.serve(Receiver)
