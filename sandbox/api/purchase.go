package api

import (
	"cmp"
	"encoding/hex"
	"encoding/json"
	"errors"
	"math/big"
	"strings"

	"billfold/content/share"
	"billfold/ledger"
	"billfold/sandbox/chain/evaluate"
	"billfold/sandbox/chain/nodeerr"
	"billfold/sandbox/chain/state"
)

var purchaseMethods = map[string]Method{
	"get_open_buyings": read0(func(st *state.State) any { return st.Purchases.Open() }),
	"get_open_buyings_by_URI": read1(func(st *state.State, uri string) (any, error) {
		return selected(st.Purchases.Of(uri), isOpen), nil
	}),
	"get_open_buyings_by_consumer": read1(func(st *state.State, consumer ledger.AccountID) (any, error) {
		return selected(st.Purchases.By(consumer), isOpen), nil
	}),
	"get_buying_history_objects_by_consumer": read1(func(st *state.State, consumer ledger.AccountID) (any, error) {
		return selected(st.Purchases.By(consumer), func(p *ledger.Buying) bool { return !isOpen(p) }), nil
	}),
	"get_buying_objects_by_consumer": searchPurchases,
	"get_buying_by_consumer_URI": read2(func(st *state.State, consumer ledger.AccountID, uri string) (any, error) {
		return orNull(st.Purchases.Between(consumer, uri)), nil
	}),
	"search_feedback":        read4(searchFeedback),
	"restore_encryption_key": read2(restoreKey),
}

func isOpen(p *ledger.Buying) bool { return !p.Delivered && !p.Expired }

// selected returns the purchases that are wanted.
func selected(list []*ledger.Buying, wanted func(*ledger.Buying) bool) []*ledger.Buying {
	kept := []*ledger.Buying{}
	for _, p := range list {
		if wanted(p) {
			kept = append(kept, p)
		}
	}
	return kept
}

// searchPurchases takes account, order, start id, term and count, which has no
// limit.
func searchPurchases(s *Session, args []json.RawMessage) (any, error) {
	r := &reader{args: args}
	consumer, order, start := next[ledger.AccountID](r), next[string](r), next[ledger.ObjectID](r)
	term, count := next[string](r), next[uint32](r)
	if r.err != nil {
		return nil, r.err
	}
	var list []*ledger.Buying
	s.Chain.View(func(st *state.State) {
		list = selected(st.Purchases.By(consumer), func(p *ledger.Buying) bool {
			return term == "" || matches(term, evaluate.ReadSynopsis(p.Synopsis))
		})
	})
	return page(list, order, purchaseOrders, "purchased", purchaseID, start, count), nil
}

func purchaseID(p *ledger.Buying) ledger.ObjectID { return p.ID.Object() }

var purchaseOrders = map[string]func(a, b *ledger.Buying) int{
	"size":      func(a, b *ledger.Buying) int { return cmp.Compare(a.Size, b.Size) },
	"price":     func(a, b *ledger.Buying) int { return cmp.Compare(a.Price.Amount, b.Price.Amount) },
	"created":   func(a, b *ledger.Buying) int { return cmp.Compare(a.Created, b.Created) },
	"purchased": func(a, b *ledger.Buying) int { return cmp.Compare(a.ExpirationOrDelivery, b.ExpirationOrDelivery) },
}

// searchFeedback returns purchases that were rated or commented: of all consumers, or of one.
func searchFeedback(st *state.State, user, uri string, start ledger.ObjectID, count uint32) (any, error) {
	var consumer *ledger.Account
	if user != "" {
		if consumer = st.Accounts.ByName(user); consumer == nil {
			return []any{}, nil
		}
	}
	list := selected(st.Purchases.Of(uri), func(p *ledger.Buying) bool {
		return p.IsRatedOrCommented && (consumer == nil || p.Consumer == consumer.ID)
	})
	return page(list, "", purchaseOrders, "purchased", purchaseID, start, count), nil
}

// restoreKey returns the content key of a purchase, for who sends the private number of the buyer. The wallet never does that.
func restoreKey(st *state.State, private ledger.BigInteger, id ledger.BuyingID) (any, error) {
	purchase := st.Purchases.Get(id)
	if purchase == nil {
		return nil, nodeerr.New(nodeerr.CodeNoBuying, "restore_encryption_key", "objs: Buying: ${b}", nodeerr.Data{"b": id})
	}
	content := st.Contents.Of(purchase.URI)
	if content == nil {
		return nil, nodeerr.New(nodeerr.CodeNoContent, "restore_encryption_key", "content: ${u}", nodeerr.Data{"u": purchase.URI})
	}
	number, ok := new(big.Int).SetString(strings.TrimSuffix(private.S, "."), 10)
	if !ok {
		return nil, badArgument(0, "a private number is decimal digits and a dot")
	}
	pair := ledger.ElGamalKey{Private: number}
	defer pair.Wipe()
	key, err := share.ContentKey(pair, purchase.KeyParticles, content.Quorum)
	switch {
	case errors.Is(err, share.ErrMissing):
		return nil, nodeerr.Assert("restore_encryption_key", "ss.resolvable(): ", nil)
	case err != nil:
		return nil, nodeerr.New(nodeerr.CodeKeyPart, "restore_encryption_key", "result: ", nil)
	}
	defer key.Wipe()
	var raw [share.KeySize]byte
	key.Put(&raw)
	defer clear(raw[:])
	return hex.EncodeToString(raw[:]), nil
}
