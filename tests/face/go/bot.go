package main

import (
	"fmt"
	"log"
	"net/url"
	"os"
	"strings"
	"time"

	tele "gopkg.in/telebot.v3"
)

// What the bot does with a message "NUMBER MILLISECONDS": it works so long and answers the number. The journal tells
// when; a line is written by one call, so that it survives the process.
func work(journal *os.File, c tele.Context) error {
	var milliseconds time.Duration
	number, rest, _ := strings.Cut(c.Text(), " ")
	fmt.Sscan(rest, &milliseconds)
	fmt.Fprintf(journal, "start %d %s\n", c.Chat().ID, number)
	time.Sleep(milliseconds * time.Millisecond)
	if err := c.Send(number); err != nil {
		return err
	}
	fmt.Fprintf(journal, "end %d %s\n", c.Chat().ID, number)
	return nil
}

func main() {
	apiRoot, token, mode := os.Getenv("API_ROOT"), os.Getenv("BOT_TOKEN"), os.Getenv("MODE")
	journal, err := os.OpenFile(os.Getenv("JOURNAL"), os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o644)
	if err != nil {
		log.Fatal(err)
	}

	settings := tele.Settings{URL: apiRoot, Token: token, Poller: &tele.LongPoller{Timeout: 10 * time.Second}}
	if mode == "settle" {
		settings.Poller = settling{settings.Poller}
		settings.Synchronous = true
	}
	if mode == "webhook" {
		address, err := url.Parse(os.Getenv("WEBHOOK_URL"))
		if err != nil {
			log.Fatal(err)
		}
		settings.Poller = &tele.Webhook{
			Listen:      address.Host,
			SecretToken: os.Getenv("WEBHOOK_SECRET"),
			Endpoint:    &tele.WebhookEndpoint{PublicURL: address.String()},
		}
	}
	bot, err := tele.NewBot(settings)
	if err != nil {
		log.Fatal(err)
	}
	if mode != "webhook" {
		if err := bot.RemoveWebhook(); err != nil {
			log.Fatal(err)
		}
	}
	bot.Handle(tele.OnText, func(c tele.Context) error { return work(journal, c) })
	bot.Start()
}
