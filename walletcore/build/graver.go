package build

import "slices"

// Graver reports whether a review warns of something that an earlier one of the same operations did not: the same was done
// meanwhile, keys of who gets it changed, it is somebody new or easily mistaken, or more of what there is would go.
func (r Review) Graver(was Review) bool {
	return r.repeatsMore(was) || len(r.Changed) > len(was.Changed) || r.FirstTime && !was.FirstTime ||
		len(r.LooksLike) > len(was.LooksLike) || r.takesMore(was) || r.Approves != nil && was.Approves != nil &&
		r.Approves.Graver(*was.Approves)
}

// repeatsMore reports whether the same was done since.
func (r Review) repeatsMore(was Review) bool {
	return r.Repeats != nil && (was.Repeats == nil || r.PaidBefore > was.PaidBefore)
}

// takesMore reports whether an account is left with less than half of what there is, and was not.
func (r Review) takesMore(was Review) bool {
	most := func(o Outgoing) bool { return o.Amount > o.Available/2 }
	return slices.ContainsFunc(r.Outgoing, func(o Outgoing) bool {
		return most(o) && slices.ContainsFunc(was.Outgoing, func(b Outgoing) bool {
			return b.Account.ID == o.Account.ID && b.Asset.ID == o.Asset.ID && !most(b)
		})
	})
}
