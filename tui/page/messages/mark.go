package messages

import (
	"strings"

	"billfold/walletcore/message"
)

// Read returns the mark of a conversation all of which is read.
func Read(c message.Conversation) message.Mark {
	if last, is := c.Last(); is {
		c.Mark.UnreadFrom = last.Number() + 1
	}
	return c.Mark
}

// Unread returns the mark of a conversation in which the latest message from the other side is unread.
func Unread(c message.Conversation) message.Mark {
	for _, item := range c.Items {
		if item.From.ID == c.With.ID {
			c.Mark.UnreadFrom = item.Number()
		}
	}
	return c.Mark
}

// Hidden returns the mark of a conversation that is hidden until a new message comes.
func Hidden(c message.Conversation) message.Mark {
	c.Mark = Read(c)
	c.Mark.ShownFrom = c.Mark.UnreadFrom
	return c.Mark
}

// Holds reports whether the account or a message of a conversation contains text, which is in lower case.
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
