// Signs in with the token of the configuration; what is kept is a cookie that scripts can't read.
import {post} from "./api.js";
import {by, say} from "./dom.js";
import {during} from "./said.js";

/** `done` is called when the token was right. */
export function login(done) {
  const token = by("token");
  by("login-form").addEventListener("submit", (event) => {
    event.preventDefault();
    during(by("login-form").querySelector("button"), by("token-error"), async () => {
      try {
        await post("login", {token: token.value});
      } catch (refused) {
        token.select();
        token.setAttribute("aria-invalid", "true");
        throw refused.status === 401
          ? new Error(
              "This is not the token. It is what TGKEEP_ADMIN_TOKEN or the file of admin.token_file holds where tgkeep runs.",
            )
          : refused;
      }
      token.value = "";
      token.removeAttribute("aria-invalid");
      done();
    });
  });
  return {
    show() {
      by("login").hidden = false;
      token.focus();
    },
    hide() {
      by("login").hidden = true;
      say(by("token-error"), "");
    },
  };
}
