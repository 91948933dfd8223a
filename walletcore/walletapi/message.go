package walletapi

import (
	"context"

	"billfold/walletcore/message"
	"billfold/walletcore/txbuild"
)

type messagesBetweenParams struct {
	Sender   string `json:"sender"    help:"account name or id; empty = anybody"`
	Receiver string `json:"receiver"  help:"account name or id; empty = anybody, but not on both sides"`
	Most     uint32 `json:"max_count" help:"at most 1000"`
}

type messagesToParams struct {
	Receiver string `json:"receiver"  role:"account" help:"account name or id"`
	Most     uint32 `json:"max_count" help:"at most 1000"`
}

type messagesFromParams struct {
	Sender string `json:"sender"    role:"account" help:"account name or id"`
	Most   uint32 `json:"max_count" help:"at most 1000"`
}

func messageMethods() []*Method {
	return []*Method{
		read(
			"get_message_objects",
			doc{Help: "Lists the messages between two accounts as the ledger keeps them, with their texts.", Result: "newest first",
				Unlocked: true, Secret: true, Examples: []string{`alice "" 10`}},
			func(ctx context.Context, w *Core, p messagesBetweenParams) ([]message.Opened, error) {
				return w.Messages.Between(ctx, p.Sender, p.Receiver, p.Most)
			}),
		read(
			"get_messages",
			doc{Help: "Lists the messages that an account of this wallet received.",
				Result: "newest first; empty for the account of others", Unlocked: true, Secret: true, Examples: []string{"alice 10"}},
			func(ctx context.Context, w *Core, p messagesToParams) ([]message.Message, error) {
				return w.Messages.Received(ctx, p.Receiver, p.Most)
			}),
		read(
			"get_sent_messages",
			doc{Help: "Lists the messages that an account of this wallet sent.",
				Result: "newest first; empty for the account of others", Unlocked: true, Secret: true, Examples: []string{"alice 10"}},
			func(ctx context.Context, w *Core, p messagesFromParams) ([]message.Message, error) {
				return w.Messages.Sent(ctx, p.Sender, p.Most)
			}),
		spend("send_message", doc{Help: "Sends accounts a text, encrypted for each of them.", Secret: true,
			Examples: []string{`alice '["bobby"]' "see you at noon" true`}}, txbuild.SendMessage),
		spend("send_unencrypted_message", doc{Help: "Sends accounts a text that anybody can read.", Secret: true,
			Examples: []string{`alice '["bobby","carol"]' "hello everybody" true`}}, txbuild.SendPlainMessage),
	}
}
