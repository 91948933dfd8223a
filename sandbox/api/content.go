package api

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"billfold/ledger"
	"billfold/sandbox/chain/evaluate"
	"billfold/sandbox/chain/state"
)

var contentMethods = map[string]Method{
	"get_content":    read1(func(st *state.State, uri string) (any, error) { return orNull(st.Contents.Of(uri)), nil }),
	"search_content": searchContent,
}

// orNull returns an untyped nil for a missing object.
func orNull[T any](row *T) any {
	if row == nil {
		return nil
	}
	return row
}

// contentSearch selects content. Expired and withdrawn content is found only among that of one author.
type contentSearch struct {
	term, order, author, region, kind string
	start                             ledger.ObjectID
	count                             uint32
}

// searchContent takes term, order, user, region, start id, type and count.
func searchContent(session *Session, args []json.RawMessage) (any, error) {
	r, s := &reader{args: args}, contentSearch{}
	s.term, s.order, s.author, s.region = next[string](r), next[string](r), next[string](r), next[string](r)
	s.start, s.kind = next[ledger.ObjectID](r), next[string](r)
	s.count = next[uint32](r)
	if r.err == nil {
		r.err = within100(s.count)
	}
	if r.err != nil {
		return nil, r.err
	}
	found := []*ledger.ContentSummary{}
	session.Chain.View(func(st *state.State) {
		for _, c := range st.Contents.All() {
			if row := s.summary(st, c); row != nil {
				found = append(found, row)
			}
		}
	})
	return page(found, s.order, contentOrders, "created", func(c *ledger.ContentSummary) ledger.ObjectID { return c.ID }, s.start, s.count), nil
}

// summary returns the row of content, or nil if it is not looked for.
func (s contentSearch) summary(st *state.State, c *ledger.Content) *ledger.ContentSummary {
	author := st.Accounts.Get(c.Author).Name
	about := evaluate.ReadSynopsis(c.Synopsis)
	region, known := ledger.RegionCode(s.region)
	price, sold := c.Price.In(region)
	gone := c.IsBlocked || c.Expiration <= st.HeadTime()
	switch {
	case !known || !sold,
		s.author != "" && s.author != author,
		s.author == "" && gone,
		!matches(s.term, about),
		s.kind != "" && s.kind != "0.0.0" && !strings.HasPrefix(about.Type+".", s.kind+"."):
		return nil
	}
	return &ledger.ContentSummary{
		ID: c.ID.Object(), Author: author, Price: price, Synopsis: c.Synopsis, Status: statusOf(c, gone), URI: c.URI, Hash: c.Hash,
		AverageRating: c.AverageRating, Size: c.Size, Expiration: c.Expiration, Created: c.Created, TimesBought: c.TimesBought,
	}
}

// matches reports whether a term is in the title or description.
func matches(term string, about evaluate.Synopsis) bool {
	term = strings.ToLower(term)
	return strings.Contains(strings.ToLower(about.Title), term) || strings.Contains(strings.ToLower(about.Description), term)
}

func statusOf(c *ledger.Content, gone bool) string {
	switch {
	case gone:
		return "Expired"
	case uint64(len(c.LastProof)) >= uint64(c.Quorum):
		return "Uploaded"
	case len(c.LastProof) > 0:
		return "Partially uploaded"
	}
	return "Uploading"
}

var contentOrders = map[string]func(a, b *ledger.ContentSummary) int{
	"author":     func(a, b *ledger.ContentSummary) int { return cmp.Compare(a.Author, b.Author) },
	"rating":     func(a, b *ledger.ContentSummary) int { return cmp.Compare(a.AverageRating, b.AverageRating) },
	"size":       func(a, b *ledger.ContentSummary) int { return cmp.Compare(a.Size, b.Size) },
	"price":      func(a, b *ledger.ContentSummary) int { return cmp.Compare(a.Price.Amount, b.Price.Amount) },
	"created":    func(a, b *ledger.ContentSummary) int { return cmp.Compare(a.Created, b.Created) },
	"expiration": func(a, b *ledger.ContentSummary) int { return cmp.Compare(a.Expiration, b.Expiration) },
}

// page sorts rows, which are in order of their ids, and returns at most count of them, from the one with the id start on if it is among them. An
// order is + or - and a word; any other means - and the usual one. Equal rows are in order of ids, reversed by -.
func page[T any](rows []T, order string, by map[string]func(a, b T) int, usual string, id func(T) ledger.ObjectID, start ledger.ObjectID,
	count uint32,
) []T {
	word := strings.TrimLeft(order, "+-")
	compare, known := by[word]
	ascending := known && order == "+"+word
	if !ascending && (!known || order != "-"+word) {
		compare = by[usual]
	}
	slices.SortStableFunc(rows, compare)
	if !ascending {
		slices.Reverse(rows)
	}
	if at := slices.IndexFunc(rows, func(row T) bool { return id(row) == start }); at > 0 {
		rows = rows[at:]
	}
	return rows[:min(uint64(len(rows)), uint64(count))]
}
