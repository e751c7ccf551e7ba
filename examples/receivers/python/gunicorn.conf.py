import os

bind = f"127.0.0.1:{os.environ.get('PORT', '8080')}"
# The default worker, `sync`, handles one update at a time, is killed with its handler after 30 s and closes the connection
# after each answer.
worker_class = "gthread"
workers = 2
# tgkeep's default concurrency, in each worker: connections don't spread evenly over workers, and a request that waits for
# a thread waits with its timeout running.
threads = 40
keepalive = 125  # tgkeep uses a connection again for 118 s; the default is 2 s
timeout = 60  # of a worker that is stuck as a whole; with threads it does not limit a handler
graceful_timeout = 30  # how long running handlers may take at SIGTERM; what is cut off runs again
