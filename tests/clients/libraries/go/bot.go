package main

import (
	"io"
	"log"
	"net/url"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	tele "gopkg.in/telebot.v3"
)

// Listens where the URL says.
func webhook(address string) *tele.Webhook {
	parsed, err := url.Parse(address)
	if err != nil {
		log.Fatal(err)
	}
	certificate := os.Getenv("WEBHOOK_CERTIFICATE")
	hook := &tele.Webhook{
		Listen:      parsed.Host,
		SecretToken: os.Getenv("WEBHOOK_SECRET"),
		Endpoint:    &tele.WebhookEndpoint{PublicURL: address, Cert: certificate},
	}
	if certificate != "" {
		hook.TLS = &tele.WebhookTLS{Key: os.Getenv("WEBHOOK_KEY"), Cert: certificate}
	}
	return hook
}

func main() {
	settings := tele.Settings{URL: os.Getenv("API_ROOT"), Token: os.Getenv("BOT_TOKEN")}
	if address := os.Getenv("WEBHOOK_URL"); address != "" {
		settings.Poller = webhook(address)
	} else {
		settings.Poller = &tele.LongPoller{Timeout: 10 * time.Second}
	}
	bot, err := tele.NewBot(settings)
	if err != nil {
		log.Fatal(err)
	}

	bot.Handle("/start", func(c tele.Context) error {
		return c.Reply("Hello, " + c.Sender().FirstName + "!")
	})
	bot.Handle("/menu", func(c tele.Context) error {
		menu := &tele.ReplyMarkup{}
		menu.Inline(menu.Row(
			tele.Btn{Text: "Yes", Data: "tea:yes"},
			tele.Btn{Text: "No", Data: "tea:no"},
		))
		return c.Send("Tea?", menu)
	})
	bot.Handle(tele.OnCallback, func(c tele.Context) error {
		choice := strings.TrimPrefix(c.Callback().Data, "tea:")
		if err := c.Respond(&tele.CallbackResponse{Text: "Noted: " + choice}); err != nil {
			return err
		}
		return c.Edit("Tea: " + choice)
	})
	bot.Handle("/delete", func(c tele.Context) error {
		return bot.Delete(c.Message().ReplyTo)
	})
	bot.Handle("/file", func(c tele.Context) error {
		return c.Send(&tele.Document{
			File:     tele.FromReader(strings.NewReader("Résumé\n")),
			FileName: "resume.txt",
			Caption:  "A file",
		})
	})
	bot.Handle("/album", func(c tele.Context) error {
		return c.SendAlbum(tele.Album{
			&tele.Photo{File: tele.FromReader(strings.NewReader("first photo")), Caption: "Two"},
			&tele.Photo{File: tele.FromReader(strings.NewReader("second photo"))},
		})
	})
	bot.Handle("/wrong", func(c tele.Context) error {
		_, err := bot.Send(tele.ChatID(424242), "Is anybody there?")
		if err != tele.ErrChatNotFound {
			return err
		}
		return c.Send("400: " + tele.ErrChatNotFound.Description)
	})
	bot.Handle(tele.OnDocument, func(c tele.Context) error {
		document := c.Message().Document
		reader, err := bot.File(&document.File)
		if err != nil {
			return err
		}
		defer reader.Close()
		content, err := io.ReadAll(reader)
		if err != nil {
			return err
		}
		return c.Send(document.FileName + ": " + string(content))
	})
	bot.Handle(tele.OnText, func(c tele.Context) error {
		return c.Send("You said: " + c.Text())
	})

	// With a webhook, this version's Stop closes a channel twice.
	if os.Getenv("WEBHOOK_URL") == "" {
		asked := make(chan os.Signal, 1)
		signal.Notify(asked, syscall.SIGTERM)
		go func() {
			<-asked
			bot.Stop()
		}()
	}
	bot.Start()
}
