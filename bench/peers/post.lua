-- wrk: one update of 0.9 KB per request, as Telegram would post it; ids differ within one run.
local id = 0
local text = string.rep("x", 700)
wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"

request = function()
  id = id + 1
  local chat = 1000 + id % 1000
  return wrk.format(nil, "/webhook", nil, string.format(
    '{"update_id":%d,"message":{"message_id":%d,"date":1790000000,"chat":{"id":%d,"type":"private","first_name":"Test"},'
      .. '"from":{"id":%d,"is_bot":false,"first_name":"Test"},"text":"%s"}}',
    100000000 + id, id, chat, chat, text))
end
