package sign

import "billfold/tui/action"

const (
	doApprove  action.ID = "sign.approve"
	doWithdraw action.ID = "sign.withdraw"
	doNew      action.ID = "sign.new"
	doJSON     action.ID = "sign.json"
	doTree     action.ID = "sign.tree"
	doOrder    action.ID = "sign.order"
	doFilter   action.ID = "sign.filter"
	doOpen     action.ID = "sign.open"
	doSign     action.ID = "sign.file.sign"
	doSend     action.ID = "sign.file.send"
)
