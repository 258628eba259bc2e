// This file is about what explain should answer to what the kubelet says.

package kubelet

// answer is the decisive finding: parts of its sentence and of its remedy.
type answer struct {
	code, message, remedy string
	mayWork               bool // in some releases the kubelet does not fail
}

var wanted = map[string]answer{
	"prepared":                 {mayWork: true},
	"not registered":           {code: "DriverNotRegistered", message: "driver gpu.example.com is not registered on node node-1", remedy: "Start the driver's kubelet plugin"},
	"registered no more":       {code: "DriverNotRegistered", message: "driver gpu.example.com is not registered on node node-1", remedy: "Start the driver's kubelet plugin"},
	"refused":                  {code: "PrepareFailed", message: "driver gpu.example.com could not prepare claim gpu-claim: no free MIG slot on GPU-17"},
	"refused parameters":       {code: "PrepareFailed", message: "driver gpu.example.com refuses the configuration"},
	"no server":                {code: "PrepareFailed", message: "the call of driver gpu.example.com failed: rpc error: code = Unavailable", remedy: "restart its pod"},
	"no answer in time":        {code: "PrepareFailed", message: "driver gpu.example.com did not answer in time", remedy: "The driver hangs"},
	"claim skipped":            {code: "PrepareFailed", message: "driver gpu.example.com has returned no result for claim gpu-claim", remedy: "Its log shows"},
	"answer for another claim": {code: "PrepareFailed", message: "driver gpu.example.com answered for a claim that it was not asked for", remedy: "mistake of the driver"},
	"claim not found":          {code: "PrepareFailed", message: "the kubelet cannot read claim gpu-claim", remedy: "Create the claim if it is gone"},
	"claim forbidden":          {code: "PrepareFailed", message: "the kubelet cannot read claim gpu-claim, which exists", remedy: "The driver was not called"},
	"version not served":       {code: "PrepareFailed", message: "asks for claims in a version of the API that the server does not serve", remedy: "Upgrade the kubelet"},
	"not reserved":             {code: "NotReserved", message: "claim ml/gpu-claim is not reserved for it"},
	"not allocated":            {code: "NotReserved", message: "claim ml/gpu-claim is neither allocated nor reserved for it"},
	"claim of another pod":     {code: "PrepareFailed", message: "claim gpu-claim was created for another pod", remedy: "Delete pod trainer: its claims are re-created with a new pod"},
	"claim not created":        {code: "PrepareFailed", message: "claim gpu was not created from template gpu-template", remedy: "Delete pod trainer"},
	"older claim":              {code: "PrepareFailed", message: "an older claim gpu-claim is still prepared on the node"},
	"being unprepared":         {code: "PrepareFailed", message: "claim gpu-claim is still being taken back from another pod", mayWork: true},
	"preparation skipped":      {code: "PrepareFailed", message: "the kubelet has switched off what claim gpu-claim needs", mayWork: true},
	"state not written":        {code: "PrepareFailed", message: "the kubelet cannot save its state", remedy: "Let the kubelet of node node-1 write"},
	"never prepared":           {code: "PrepareFailed", message: "container main cannot be created: the kubelet has not prepared all its claims"},
}
