package walletapi

import (
	"encoding/json"
	"errors"
	"strings"
)

type subscribeParams struct {
	Topics   topics   `json:"topics" help:"blocks, balances, deposits, payments, lock, accounts; separated by commas"`
	Position position `json:"position,omitempty" help:"of the last event that was received: those after it are sent again"`
}

type unsubscribeParams struct {
	Topics topics `json:"topics,omitempty" help:"none: all of them"`
}

func eventMethods() []*Method {
	return []*Method{
		events(
			"subscribe",
			doc{Help: "Sends events on this websocket, each with the method event.", Examples: []string{"blocks,deposits"}},
			func(s Subscriber, p subscribeParams) (Subscription, error) {
				return s.Subscribe(p.Topics, string(p.Position))
			}),
		events("unsubscribe", doc{Help: "Stops sending events on this websocket.", Examples: []string{"", "blocks"}},
			func(s Subscriber, p unsubscribeParams) (Subscription, error) { return s.Unsubscribe(p.Topics) }),
	}
}

// topics is read from words separated by commas or spaces, or from a list of words.
type topics []string

// MarshalJSON joins the topics with commas.
func (t topics) MarshalJSON() ([]byte, error) { return json.Marshal(strings.Join(t, ",")) }

// UnmarshalJSON reads both forms; null is no topic.
func (t *topics) UnmarshalJSON(data []byte) error {
	var list []string
	if json.Unmarshal(data, &list) == nil {
		*t = list
		return nil
	}
	var text string
	if json.Unmarshal(data, &text) != nil {
		return errors.New("expected topics separated by commas, such as blocks,deposits")
	}
	*t = strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' })
	return nil
}

func (topics) schema(*schemas) Schema { return Schema{Type: "string"} }
func (topics) word() string           { return "text" }

// position accepts only a JSON string: a number cannot be a position, and for an
// unknown position everything would be sent again.
type position string

// MarshalJSON returns the position as a string.
func (p position) MarshalJSON() ([]byte, error) { return json.Marshal(string(p)) }

// UnmarshalJSON reads a string; null is no position.
func (p *position) UnmarshalJSON(data []byte) error {
	if json.Unmarshal(data, (*string)(p)) != nil {
		return errors.New("expected text")
	}
	return nil
}
