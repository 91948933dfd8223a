package ledger

// TransactionDetail is the object 2.17.N: one operation as an account's history shows it.
type TransactionDetail struct {
	ID          ObjectID    `json:"id"`
	From        AccountID   `json:"m_from_account"`
	To          AccountID   `json:"m_to_account"`
	Kind        uint8       `json:"m_operation_type"`
	Amount      AssetAmount `json:"m_transaction_amount"`
	Fee         AssetAmount `json:"m_transaction_fee"`
	NFTData     *NFTDataID  `json:"m_nft_data_id,omitempty"`
	Description string      `json:"m_str_description"`
	Memo        *Memo       `json:"m_transaction_encrypted_memo,omitempty"`
	Timestamp   Time        `json:"m_timestamp"` // of the previous block
}

// BalanceChange is one operation with the change it made to an account's balances.
type BalanceChange struct {
	Record        HistoryRecord `json:"hist_object"`
	Balance       BalancePair   `json:"balance"`
	Fee           AssetAmount   `json:"fee,omitempty"` // zero if another account paid it
	Timestamp     Time          `json:"timestamp"`
	TransactionID TransactionID `json:"transaction_id"`
}

// BalancePair is up to two amounts; only pools move both.
type BalancePair struct {
	Asset0 AssetAmount `json:"asset0"`
	Asset1 AssetAmount `json:"asset1"`
}
