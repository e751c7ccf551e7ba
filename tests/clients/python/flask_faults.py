"""gunicorn -c gunicorn.conf.py flask_faults:app: the recipe's application behind one that notes each request and answer,
and answers itself, or changes the answer, where the plan says so."""

import socket

from flask_app import app
from journal import Once, note, planned

WORDS = {"201": "201 Created", "204": "204 No Content"}


class Faults:
    def __init__(self, application):
        self.application = application
        self.first = Once()
        self.first_answer = Once()

    def __call__(self, environ, start_response):
        if "HTTP_TGKEEP_UPDATE_ID" not in environ:
            return self.application(environ, start_response)
        update_id = int(environ["HTTP_TGKEEP_UPDATE_ID"])
        note("request", update_id, environ["HTTP_TGKEEP_ATTEMPT"], environ["HTTP_TGKEEP_EPOCH"])
        answer = planned(update_id)
        if self.first(update_id):
            if answer == "hang_up":
                return self.hang_up(environ, start_response, update_id, answer)
            if answer[0] in "345":
                return self.refuse(start_response, update_id, answer)

        def start(status, headers, exc_info=None):
            if status.startswith("200") and answer in WORDS:
                status = WORDS[answer]
            if answer == "204":
                headers = [header for header in headers if header[0] != "Content-Length"]
            note("answer", update_id, status[:3])
            return start_response(status, headers, exc_info)

        if answer == "hang_up_after" and self.first_answer(update_id):
            b"".join(self.application(environ, lambda *_: None))
            return self.hang_up(environ, start_response, update_id, answer)
        return self.application(environ, start)

    @staticmethod
    def refuse(start_response, update_id, answer):
        status, _, retry_after = answer.partition("+")
        headers = [("Content-Length", "15"), ("Location", "/elsewhere")]
        if retry_after:
            headers.append(("Retry-After", retry_after))
        note("answer", update_id, status)
        start_response(f"{status} No", headers)
        return [b"<html>no</html>"]

    @staticmethod
    def hang_up(environ, start_response, update_id, answer):
        note("answer", update_id, answer)
        environ["gunicorn.socket"].shutdown(socket.SHUT_RDWR)
        start_response("500 No", [("Content-Length", "0"), ("Connection", "close")])
        return []


app.wsgi_app = Faults(app.wsgi_app)
