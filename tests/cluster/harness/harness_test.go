// These tests are about the planes themselves: what they serve, to whom, and that nothing is left of
// them.

package harness

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	authenticationv1 "k8s.io/api/authentication/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
)

func TestServedVersions(t *testing.T) {
	for serve, want := range map[Serve]string{
		V1:      "v1",
		V1beta2: "v1beta2",
		V1beta1: "v1beta1",
		All:     "v1 v1beta2 v1beta1 v1alpha3",
		None:    "",
	} {
		t.Run("serve "+string(serve), func(t *testing.T) {
			t.Parallel()
			client := clientFor(t, ForTest(t, Options{Serve: serve}), Admin)
			groups, err := client.Discovery().ServerGroups()
			if err != nil {
				t.Fatal(err)
			}
			var versions []string
			for _, group := range groups.Groups {
				if group.Name == "resource.k8s.io" {
					for _, version := range group.Versions {
						versions = append(versions, version.Version)
					}
				}
			}
			if got := strings.Join(versions, " "); got != want {
				t.Errorf("the plane serves %q instead of %q", got, want)
			}
		})
	}
}

func TestUsers(t *testing.T) {
	t.Parallel()
	plane := ForTest(t, Options{})
	for _, user := range append([]string{Admin, AdminCert}, Users...) {
		review, err := clientFor(t, plane, user).AuthenticationV1().SelfSubjectReviews().Create(
			t.Context(), &authenticationv1.SelfSubjectReview{}, metav1.CreateOptions{})
		if err != nil {
			t.Fatalf("%s: %v", user, err)
		}
		who := review.Status.UserInfo
		isMaster := slices.Contains(who.Groups, mastersGroup)
		if wantMaster := user == Admin || user == AdminCert; who.Username != user || isMaster != wantMaster {
			t.Errorf("%s is %s of the groups %v", user, who.Username, who.Groups)
		}
	}

	alice := clientFor(t, plane, "alice").ResourceV1().ResourceClaims("default")
	if _, err := alice.List(t.Context(), metav1.ListOptions{}); !apierrors.IsForbidden(err) {
		t.Errorf("alice without any role lists claims: %v", err)
	}
	_, err := clientFor(t, plane, AdminCert).RbacV1().RoleBindings("default").Create(t.Context(), &rbacv1.RoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: "alice"},
		Subjects:   []rbacv1.Subject{{Kind: rbacv1.UserKind, Name: "alice"}},
		// What a controller makes `view` of; on a frozen plane that role is empty.
		RoleRef: rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: "system:aggregate-to-view"},
	}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	// The authorizer learns of the binding by watching.
	Eventually(t, func(ctx context.Context) error {
		_, err := alice.List(ctx, metav1.ListOptions{})
		return err
	})

	if err := plane.Kubeconfig(filepath.Join(t.TempDir(), "config"), "mallory"); err == nil {
		t.Error("there is a kubeconfig for a user who does not exist")
	}
}

func TestFeatureGates(t *testing.T) {
	t.Parallel()
	plane := ForTest(t, Options{FeatureGates: map[string]bool{"DRADerivedAttributes": true, "DRAPartitionableDevices": false}})
	metrics, err := clientFor(t, plane, Admin).Discovery().RESTClient().Get().AbsPath("/metrics").DoRaw(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`kubernetes_feature_enabled{name="DRADerivedAttributes",stage="ALPHA"} 1`,
		`kubernetes_feature_enabled{name="DRAPartitionableDevices",stage="BETA"} 0`,
	} {
		if !strings.Contains(string(metrics), want+"\n") {
			t.Errorf("the metrics do not have %s", want)
		}
	}
}

func TestWhyAPlaneDoesNotStart(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name    string
		options Options
		want    string
		lines   int // at most
	}{
		{"binary that was not built", Options{Binary: "nowhere/plane"}, "`make plane`", 1},
		{"unknown version", Options{Serve: "v2"}, `unknown API versions "v2"`, 1},
		{"server that refuses its flags", Options{FeatureGates: map[string]bool{"NoSuchGate": true}}, "unrecognized feature gate: NoSuchGate", 100},
	} {
		t.Run(test.name, func(t *testing.T) {
			plane, err := Start(t.Context(), test.options)
			if err == nil {
				t.Fatal("it starts", plane.Stop())
			}
			if text := err.Error(); !strings.Contains(text, test.want) || strings.Count(text, "\n") >= test.lines {
				t.Errorf("the error does not say %q in %d lines: %v", test.want, test.lines, err)
			}
		})
	}
}

func TestPortTakenInTheMeantime(t *testing.T) {
	t.Parallel()
	plane := newPlane(t)
	var taken string
	plane.pick = func(n int) ([]int, error) {
		plane.pick = freePorts
		other := newPlane(t) // whose etcd answers on the port that the first one gets
		if err := other.startEtcd(t.Context()); err != nil {
			return nil, err
		}
		taken = other.etcdURL
		port, err := strconv.Atoi(taken[strings.LastIndex(taken, ":")+1:])
		if err != nil {
			return nil, err
		}
		ports, err := freePorts(n)
		if err != nil {
			return nil, err
		}
		return append([]int{port}, ports[1:]...), nil
	}
	if err := plane.startEtcd(t.Context()); err != nil {
		t.Fatal(err)
	}
	if plane.etcdURL == taken {
		t.Error("the plane uses another plane's etcd")
	}
}

// newPlane returns a plane without programs.
func newPlane(t *testing.T) *Plane {
	t.Helper()
	binary, err := findBinary("")
	if err != nil {
		t.Fatal(err)
	}
	p := &Plane{Dir: t.TempDir(), options: Options{Binary: binary}, pick: freePorts}
	t.Cleanup(func() { _ = p.Stop() })
	return p
}

func TestNothingIsLeftOfAKilledTest(t *testing.T) {
	const dirEnv = "HARNESS_TEST_DIR"
	if dir := os.Getenv(dirEnv); dir != "" {
		startAndHang(t, dir)
	}
	t.Parallel()
	dir := t.TempDir()
	command := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	command.Env = append(os.Environ(), dirEnv+"="+dir, "TMPDIR="+dir)
	command.Stdout, command.Stderr = os.Stderr, os.Stderr
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	defer command.Wait() //nolint:errcheck // it is killed
	defer command.Process.Kill()

	var pids []string
	Eventually(t, func(context.Context) error {
		text, err := os.ReadFile(filepath.Join(dir, "pids"))
		pids = strings.Fields(string(text))
		return err
	})
	if err := command.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	for _, text := range pids {
		pid, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		Eventually(t, func(context.Context) error {
			if err := syscall.Kill(pid, 0); !errors.Is(err, syscall.ESRCH) {
				return errors.New("a program outlives the test that started it")
			}
			return nil
		})
	}

	planes := filepath.Join(dir, dirPrefix+"*")
	if left, _ := filepath.Glob(planes); len(left) != 1 {
		t.Fatalf("the killed test had one plane, not %v", left)
	}
	sweep(dir)
	if left, _ := filepath.Glob(planes); len(left) != 0 {
		t.Errorf("still there: %v", left)
	}
}

// startAndHang starts a plane in a process that is to be killed, and tells the pids of its programs.
func startAndHang(t *testing.T, dir string) {
	plane := ForTest(t, Options{})
	var pids string
	for _, child := range plane.children {
		pids += strconv.Itoa(child.cmd.Process.Pid) + "\n"
	}
	whole := filepath.Join(dir, "pids")
	if err := os.WriteFile(whole+".new", []byte(pids), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(whole+".new", whole); err != nil {
		t.Fatal(err)
	}
	select {}
}

// clientFor goes through a kubeconfig, as users do.
func clientFor(t *testing.T, plane *Plane, user string) kubernetes.Interface {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config")
	if err := plane.Kubeconfig(path, user); err != nil {
		t.Fatal(err)
	}
	config, err := clientcmd.BuildConfigFromFlags("", path)
	if err != nil {
		t.Fatal(err)
	}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	return client
}
