package messages

import (
	"strings"

	"billfold/walletcore/message"
)

// Read is the mark of a conversation that a person opened.
func Read(c message.Conversation) message.Mark {
	if last, is := c.Last(); is {
		c.Mark.UnreadFrom = last.Number() + 1
	}
	return c.Mark
}

// Unread is that of one whose latest message of the other side is to be read again.
func Unread(c message.Conversation) message.Mark {
	for _, item := range c.Items {
		if item.From.ID == c.With.ID {
			c.Mark.UnreadFrom = item.Number()
		}
	}
	return c.Mark
}

// Hidden is that of one that is hidden until a new message comes.
func Hidden(c message.Conversation) message.Mark {
	c.Mark = Read(c)
	c.Mark.ShownFrom = c.Mark.UnreadFrom
	return c.Mark
}

// Holds reports whether a conversation has a text, in lower case: in its account or a message.
func Holds(c message.Conversation, text string) bool {
	if strings.Contains(c.With.Name, text) || strings.Contains(c.With.ID.String(), text) {
		return true
	}
	for _, item := range c.Items {
		if strings.Contains(strings.ToLower(item.Text), text) {
			return true
		}
	}
	return false
}
