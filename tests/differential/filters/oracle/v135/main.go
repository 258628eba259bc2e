// The scheduler's filters of Kubernetes 1.35.
package main

import "kubectl-dra/tests/differential/filters/oracle/common"

func main() { common.Main() }
