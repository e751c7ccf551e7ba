-- wrk: one sendMessage per request, to ten thousand chats in turn.
local id = 0
local text = string.rep("x", 100)
wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"

request = function()
  id = id + 1
  return wrk.format(nil, nil, nil, string.format('{"chat_id":%d,"text":"%d %s"}', 1000 + id % 10000, id, text))
end
