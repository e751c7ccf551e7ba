#include "clients/recipe.hpp"

namespace tgkeep::test {

namespace {

const std::string kRecipes = TGKEEP_SOURCE_DIR "/examples/receivers/";
const std::string kOurs = TGKEEP_SOURCE_DIR "/tests/clients/";

std::map<std::string, std::string> environment_of(const Orders& orders) {
  return {{"PORT", std::to_string(orders.port)},
          {"SECRET", orders.secret},
          {"PLAN", orders.plan},
          {"PLAN_SEED", std::to_string(orders.plan_seed)},
          {"SLOW_UPDATE", std::to_string(orders.slow_update)},
          {"SLOW_MS", std::to_string(orders.slow_millis)},
          {"API_ROOT", orders.api_root},
          {"BOT_TOKEN", orders.bot_token},
          {"RENEW_SECONDS", "1"},
          // Our bot.py is found before the recipe's, and no byte code is left in the source.
          {"PYTHONPATH", kOurs + "python:" + kRecipes + "python"},
          {"PYTHONDONTWRITEBYTECODE", "1"}};
}

}  // namespace

Command node_recipe(const std::string& file, const Orders& orders) {
  Command command({"node", "--import", kOurs + "node/faults.mjs", kRecipes + "node/" + file},
                  environment_of(orders));
  command.environment["BOT"] = kOurs + "node/bot.mjs";
  return command;
}

Command flask_recipe(const Orders& orders) {
  return Command({"gunicorn", "-c", kRecipes + "python/gunicorn.conf.py", "flask_faults:app"},
                 environment_of(orders));
}

Command python_http_recipe(const Orders& orders) {
  return Command({"python3", kOurs + "python/http_faults.py"}, environment_of(orders));
}

}  // namespace tgkeep::test
