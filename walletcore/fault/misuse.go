package fault

import "slices"

// IsMisuse reports whether the call itself was wrong: it fits no operation, or has a value that is never valid.
func (c Code) IsMisuse() bool {
	return slices.Contains([]Code{UnknownMethod, UnknownHelp, TooFewParameters, TooManyParameters, BadParameter,
		BadAmount, AmountLimit, BadValue, BadKey, BadWIF, BadPublicKey, EmptyAccount, EmptyAsset}, c)
}
