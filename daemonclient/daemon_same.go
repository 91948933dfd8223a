package daemonclient

// Same reports whether both are one daemon over one connection.
func (d Daemon) Same(o Daemon) bool { return d.conn != nil && d.conn == o.conn }
