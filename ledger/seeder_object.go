package ledger

// Seeder is the object 2.14.N: an account that stores and serves content.
type Seeder struct {
	ID         ObjectID    `json:"id"`
	Seeder     AccountID   `json:"seeder"`
	FreeSpace  uint64      `json:"free_space"` // megabytes
	Price      AssetAmount `json:"price"`      // per megabyte and day
	Expiration Time        `json:"expiration"`
	PubKey     BigInteger  `json:"pubKey"`
	IPFSID     string      `json:"ipfs_ID"`
	Stats      ObjectID    `json:"stats"`
	Rating     uint32      `json:"rating"`
	RegionCode string      `json:"region_code"`
}
