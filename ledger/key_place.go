package ledger

// KeyPlace is an authority in which a key counts.
type KeyPlace struct {
	Key     PublicKey
	Account AccountID // whose authority it is
	Role    string    // "active" or "owner"; empty if the key itself is required
	For     AccountID // the account that is acted for; not Account if Account acts for another one
}

// KeyPlaces returns, for each key that signs, the first authority in which it counts. An authority that the keys satisfy
// comes before one that they do not, and an active authority before the owner's. A key that counts nowhere is left out.
func KeyPlaces(keys []PublicKey, n Needs, lookup AccountLookup, maxDepth int) (out []KeyPlace) {
	s := Signers{Keys: make(map[PublicKey]bool, len(keys)), Lookup: lookup, MaxDepth: maxDepth}
	for _, key := range keys {
		s.Keys[key] = true
	}
	places := map[PublicKey]KeyPlace{}
	for _, id := range n.Active {
		if a := lookup(id); a != nil {
			active, owner := KeyPlace{Account: id, Role: "active", For: id}, KeyPlace{Account: id, Role: "owner", For: id}
			if s.Holds(a.Owner) && !s.Holds(a.Active) {
				s.place(places, owner, a.Owner)
				continue
			}
			s.place(places, active, a.Active)
			s.place(places, owner, a.Owner)
		}
	}
	for _, id := range n.Owner {
		if a := lookup(id); a != nil {
			s.place(places, KeyPlace{Account: id, Role: "owner", For: id}, a.Owner)
		}
	}
	for _, a := range n.Other {
		s.place(places, KeyPlace{}, a)
	}
	for _, key := range keys {
		if p, counts := places[key]; counts {
			p.Key = key
			out = append(out, p)
		}
	}
	return out
}

// place records at for the keys of an authority that have no place yet, and places those of the accounts it names.
func (s *Signers) place(into map[PublicKey]KeyPlace, at KeyPlace, a Authority) {
	s.placeOnce(into, at, a, 0, map[level]bool{})
}

func (s *Signers) placeOnce(into map[PublicKey]KeyPlace, at KeyPlace, a Authority, depth int, seen map[level]bool) {
	for _, w := range a.KeyAuths {
		if _, placed := into[w.Key]; s.Keys[w.Key] && !placed {
			into[w.Key] = at
		}
	}
	for _, w := range a.AccountAuths {
		here := level{w.Account, depth + 1}
		if account := s.Lookup(w.Account); account != nil && depth < s.MaxDepth && !seen[here] {
			seen[here] = true
			s.placeOnce(into, KeyPlace{Account: w.Account, Role: "active", For: at.For}, account.Active, depth+1, seen)
		}
	}
}
