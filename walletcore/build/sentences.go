package build

import "strings"

// Twins returns what the operations of a review do more than once, each only once, worded as not done yet.
func (r Review) Twins() (out []string) {
	seen := map[string]int{}
	for i, sentence := range r.Sentences {
		if seen[sentence]++; seen[sentence] == 2 {
			out = append(out, r.intents()[i])
		}
	}
	return out
}

// Intent returns what the operations do, worded as not done yet.
func (r Review) Intent() string {
	if len(r.Sentences) == 0 {
		return r.Sentence
	}
	return strings.Join(r.intents(), "; ")
}

// intents returns the sentences of the operations worded as not done yet, or as done where that is all the review has.
func (r Review) intents() []string {
	if len(r.Intents) == len(r.Sentences) {
		return r.Intents
	}
	return r.Sentences
}

// Fees returns what each payer pays in fees, per asset.
func (r Review) Fees() (out []Outgoing) {
	for _, o := range r.Outgoing {
		if o.Fee != 0 {
			out = append(out, Outgoing{Account: o.Account, Asset: o.Asset, Amount: o.Fee, Fee: o.Fee})
		}
	}
	if len(out) == 0 {
		out = []Outgoing{{Account: r.From, Asset: r.FeeAsset, Amount: r.Fee, Fee: r.Fee}}
	}
	return out
}
