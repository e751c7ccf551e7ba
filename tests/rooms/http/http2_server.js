// Answers each request with its HTTP version, the number of its connection and the size of its body.
// node http2_server.js CERTIFICATE KEY
const fs = require('fs')
const http2 = require('http2')

const [certificate, key] = process.argv.slice(2).map((file) => fs.readFileSync(file))
const connections = new Map()
const server = http2.createSecureServer({ cert: certificate, key, allowHTTP1: true })

server.on('request', (request, response) => {
  const socket = request.stream?.session?.socket ?? request.socket
  const port = socket.remotePort
  if (!connections.has(port)) connections.set(port, connections.size + 1)
  let size = 0
  request.on('data', (piece) => (size += piece.length))
  request.on('end', () => response.end(`${request.httpVersion} ${connections.get(port)} ${size}`))
})
server.listen(0, '127.0.0.1', () => console.log(`port ${server.address().port}`))
