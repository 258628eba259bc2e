// Package soak says how much longer generated tests run than usual.
package soak

import (
	"fmt"
	"os"
	"strconv"
)

// Env names the environment variable that `make soak` sets: how many times as many cases are wanted.
const Env = "KUBECTL_DRA_SOAK"

// Times is 1 in an ordinary run. What is no number is a mistake of whoever set it, and must not shorten a soak.
func Times() int {
	text := os.Getenv(Env)
	if text == "" {
		return 1
	}
	times, err := strconv.Atoi(text)
	if err != nil || times < 1 {
		panic(fmt.Sprintf("%s=%q: how many times as long? a number from 1", Env, text))
	}
	return times
}
