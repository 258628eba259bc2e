// This file is about what stands around the kubelet: an API server that knows claims alone, and a driver.

package common

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"path"
	"sync"

	"google.golang.org/grpc"
	resourceapi "k8s.io/api/resource/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	drapb "k8s.io/kubelet/pkg/apis/dra/v1"
)

// server answers requests for claims by their names.
type server struct {
	mutex  sync.Mutex
	claims map[string]*resourceapi.ResourceClaim
	status *metav1.Status // instead of a claim, if it is set
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	name := path.Base(r.URL.Path)
	var answer any = s.claims[name]
	status := s.status
	if status == nil && s.claims[name] == nil {
		status = statusOf(apierrors.NewNotFound(claimResource, name))
	}
	w.Header().Set("Content-Type", "application/json")
	if status != nil {
		answer = status
		w.WriteHeader(int(status.Code))
	}
	json.NewEncoder(w).Encode(answer)
}

// statusOf is an error as a server sends it; without one, it knows no such path.
func statusOf(err *apierrors.StatusError) *metav1.Status {
	if err == nil {
		return &metav1.Status{Code: http.StatusNotFound}
	}
	status := err.Status()
	status.APIVersion, status.Kind = "v1", "Status"
	return &status
}

func (s *server) set(claims ...*resourceapi.ResourceClaim) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.claims = map[string]*resourceapi.ResourceClaim{}
	for _, claim := range claims {
		s.claims[claim.Name] = claim
	}
}

var claimResource = schema.GroupResource{Group: resourceapi.GroupName, Resource: "resourceclaims"}

// answer is what a driver answers to a call, for the claims with the uids.
type answer func(ctx context.Context, uids []string) (*drapb.NodePrepareResourcesResponse, error)

// driver is the server of a DRA driver's plugin.
type driver struct {
	drapb.UnimplementedDRAPluginServer
	uid       func(*drapb.Claim) string
	prepare   answer
	unprepare func() // is called before it answers
}

func (d *driver) uids(claims []*drapb.Claim) (all []string) {
	for _, claim := range claims {
		all = append(all, d.uid(claim))
	}
	return all
}

func (d *driver) NodePrepareResources(ctx context.Context, request *drapb.NodePrepareResourcesRequest) (*drapb.NodePrepareResourcesResponse, error) {
	return d.prepare(ctx, d.uids(request.Claims))
}

func (d *driver) NodeUnprepareResources(_ context.Context, request *drapb.NodeUnprepareResourcesRequest) (*drapb.NodeUnprepareResourcesResponse, error) {
	if d.unprepare != nil {
		d.unprepare()
	}
	response := &drapb.NodeUnprepareResourcesResponse{Claims: map[string]*drapb.NodeUnprepareResourceResponse{}}
	for _, uid := range d.uids(request.Claims) {
		response.Claims[uid] = &drapb.NodeUnprepareResourceResponse{}
	}
	return response, nil
}

// serve answers at a socket until the returned function is called.
func (d *driver) serve(socket string) (stop func(), err error) {
	listener, err := net.Listen("unix", socket)
	if err != nil {
		return nil, err
	}
	server := grpc.NewServer()
	drapb.RegisterDRAPluginServer(server, d)
	go server.Serve(listener)
	return server.Stop, nil
}

// ready prepares every claim.
func ready(_ context.Context, uids []string) (*drapb.NodePrepareResourcesResponse, error) {
	response := &drapb.NodePrepareResourcesResponse{Claims: map[string]*drapb.NodePrepareResourceResponse{}}
	for _, uid := range uids {
		response.Claims[uid] = &drapb.NodePrepareResourceResponse{}
	}
	return response, nil
}

// refuse fails for every claim with the words of a driver.
func refuse(words string) answer {
	return func(ctx context.Context, uids []string) (*drapb.NodePrepareResourcesResponse, error) {
		response, err := ready(ctx, uids)
		for _, claim := range response.Claims {
			claim.Error = words
		}
		return response, err
	}
}

// none answers for no claim.
func none(context.Context, []string) (*drapb.NodePrepareResourcesResponse, error) {
	return &drapb.NodePrepareResourcesResponse{}, nil
}

// other answers for a claim that it was not asked for.
func other(ctx context.Context, _ []string) (*drapb.NodePrepareResourcesResponse, error) {
	return ready(ctx, []string{"other-uid"})
}

// hang answers when it is too late.
func hang(ctx context.Context, _ []string) (*drapb.NodePrepareResourcesResponse, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}
