package daemonclient

// Set names an API set of the daemon, as login_api enables it (daemon-api 3).
type Set string

// The sets. Database, History and NetworkBroadcast are enabled when a connection is set up, the others on first use.
const (
	Login            Set = "login"
	Database         Set = "database"
	History          Set = "history"
	NetworkBroadcast Set = "network_broadcast"
	NetworkNode      Set = "network_node"
	Crypto           Set = "crypto"
	Messaging        Set = "messaging"
	Monitoring       Set = "monitoring"
)

// loginSetID is the number of login_api on every connection.
const loginSetID = 1
