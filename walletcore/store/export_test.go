package store

import "time"

// ForgetReady has the next question whether the journal takes payments make an attempt.
func (j *Journal) ForgetReady() {
	j.ready.mu.Lock()
	defer j.ready.mu.Unlock()
	j.ready.at = time.Time{}
}
