//go:build !linux

package sandbox

import "time"

// alarm wakes a sleeper on time on systems that can; here the runtime's timers have to do.
type alarm struct{}

func newAlarm() *alarm { return &alarm{} }

func (*alarm) sleep(time.Duration) bool { return false }

func (*alarm) close() {}
