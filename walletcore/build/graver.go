package build

import "slices"

// Graver reports whether a review warns of something that an earlier one of the same operations did not: the same was done
// meanwhile, a recipient's keys changed, a recipient is new or easily mistaken, or more than half of a balance would go; or that what
// would be signed is not the same any more, because an object that it replaces parts of has changed.
func (r Review) Graver(earlier Review) bool {
	return r.Bytes != "" && earlier.Bytes != "" && r.Bytes != earlier.Bytes || r.repeatsMore(earlier) ||
		len(r.Changed) > len(earlier.Changed) || r.FeeLeaps && !earlier.FeeLeaps || r.FirstTime && !earlier.FirstTime ||
		len(r.LooksLike) > len(earlier.LooksLike) || r.takesMore(earlier) || r.Approves != nil && earlier.Approves != nil &&
		r.Approves.Graver(*earlier.Approves)
}

// repeatsMore reports whether the same was done since the earlier review.
func (r Review) repeatsMore(earlier Review) bool {
	return r.Repeats != nil && (earlier.Repeats == nil || r.PaidBefore > earlier.PaidBefore)
}

// takesMore reports whether more than half of a balance would go now, and did not in the earlier review.
func (r Review) takesMore(earlier Review) bool {
	most := func(o Outgoing) bool { return o.Amount > o.Available/2 }
	return slices.ContainsFunc(r.Outgoing, func(o Outgoing) bool {
		return most(o) && slices.ContainsFunc(earlier.Outgoing, func(b Outgoing) bool {
			return b.Account.ID == o.Account.ID && b.Asset.ID == o.Asset.ID && !most(b)
		})
	})
}
