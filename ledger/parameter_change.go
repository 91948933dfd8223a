package ledger

// effects compares the new parameters with the present ones.
func (op *MinerUpdateGlobalParametersOp) effects(before Before, _ Namer) []Effect {
	was := before.Parameters()
	if was == nil {
		return []Effect{{What: "parameters of the chain", Was: notKnown, Now: "all as the operation says",
			Careful: "sets every parameter of the chain; which of them change is not known here"}}
	}
	out := memberEffects(*was, op.NewParameters)
	fees := memberEffects(was.CurrentFees, op.NewParameters.CurrentFees)
	for i := range fees {
		fees[i].What = "fees: " + fees[i].What
	}
	out = append(out, fees...)
	for _, code := range OpCodes() {
		a, b := was.CurrentFees.Of(code), op.NewParameters.CurrentFees.Of(code)
		out = append(out, changeOf("fee of "+OpName(code), a.words(), b.words())...)
	}
	return out
}
