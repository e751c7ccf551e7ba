package main

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	tele "gopkg.in/telebot.v3"
)

// settling handles each update in a goroutine of its own and then tells tgkeep that it is done. It needs an API root
// …/settle and Settings.Synchronous, so that ProcessUpdate returns when the handler has ended.
type settling struct{ from tele.Poller }

func (s settling) Poll(bot *tele.Bot, _ chan tele.Update, stop chan struct{}) {
	updates := make(chan tele.Update)
	go s.from.Poll(bot, updates, stop)
	for {
		select {
		case update := <-updates:
			go func() {
				bot.ProcessUpdate(update)
				settle(bot, update.ID)
			}()
		case <-stop:
			return
		}
	}
}

func settle(bot *tele.Bot, id int) {
	url := fmt.Sprintf("%s/bot%s/tgkeep/settle", bot.URL, bot.Token)
	for wait := 100 * time.Millisecond; ; {
		body := strings.NewReader(fmt.Sprintf(`{"update_id":%d,"action":"done"}`, id))
		answer, err := http.Post(url, "application/json", body)
		if err == nil {
			answer.Body.Close()
			if answer.StatusCode != http.StatusTooManyRequests && answer.StatusCode < 500 {
				return
			}
		}
		time.Sleep(wait)
		if wait < 5*time.Second {
			wait *= 2
		}
	}
}
