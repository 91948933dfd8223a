package state

import "billfold/ledger"

// Contents are the objects 2.13.N, one for each URI.
type Contents struct {
	table[ledger.ContentID, ledger.Content]
	byURI index[string, ledger.ContentID]
}

func newContents(j *journal) Contents {
	c := Contents{byURI: newIndex[string, ledger.ContentID](j)}
	c.table.j = j
	return c
}

// Of returns the content of a URI, or nil.
func (c *Contents) Of(uri string) *ledger.Content {
	if id, ok := c.byURI.find(uri); ok {
		return c.Get(id)
	}
	return nil
}

// Add inserts content under the next id.
func (c *Contents) Add(content ledger.Content) ledger.ContentID {
	content.ID = c.Next()
	c.insert(&content)
	c.byURI.set(content.URI, content.ID)
	return content.ID
}
