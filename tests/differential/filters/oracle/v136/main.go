// The scheduler's filters of Kubernetes 1.36.
package main

import "kubectl-dra/tests/differential/filters/oracle/common"

func main() { common.Main() }
