// This file is about generating clusters with volumes: few zones, classes, drivers and sizes, so that they meet.

package filters

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"
)

const (
	selectedNode  = "volume.kubernetes.io/selected-node"
	bindCompleted = "pv.kubernetes.io/bind-completed"
	migrated      = "storage.alpha.kubernetes.io/migrated-plugins"
	zoneLabel     = "topology.kubernetes.io/zone"
	ebsDriver     = "ebs.csi.aws.com"
)

// storageScene is what one question about volumes is about; pod default/p looks for a node.
type storageScene struct{ objects []any }

func (s storageScene) line(t *testing.T) string {
	t.Helper()
	line, err := json.Marshal(map[string]any{"apiVersion": "v1", "kind": "List", "items": s.objects})
	if err != nil {
		t.Fatal(err)
	}
	return string(line)
}

func (s *storageScene) add(object any) { s.objects = append(s.objects, object) }

func (r *random) storage() storageScene {
	s := storageScene{}
	nodes := 1 + r.IntN(4)
	for i := range nodes {
		s.add(r.storageNode(fmt.Sprint("n", i)))
		if r.chance(85) {
			s.add(r.csiNode(fmt.Sprint("n", i)))
		}
	}
	r.addClasses(&s)
	for i := range r.IntN(6) {
		s.add(r.persistentVolume(i))
	}
	for _, name := range []string{"c0", "c1", "c2", "c3", "p-e"} {
		if r.chance(85) {
			s.add(r.volumeClaim(name))
		}
	}
	s.add(r.storagePod("p", ""))
	for i := range r.IntN(6) {
		s.add(r.storagePod(fmt.Sprint("o", i), pick(r, "n0", "n0", "n1", "n2", "gone")))
	}
	for i := range r.IntN(3) {
		s.add(r.attachment(i))
	}
	return s
}

func typed(version, kind string) metav1.TypeMeta {
	return metav1.TypeMeta{APIVersion: version, Kind: kind}
}

func (r *random) zone() string { return pick(r, "a", "b", "c") }

func (r *random) storageNode(name string) *corev1.Node {
	node := &corev1.Node{TypeMeta: typed("v1", "Node"),
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"kubernetes.io/hostname": name}}}
	if r.chance(85) {
		node.Labels[zoneLabel] = r.zone()
	}
	if r.chance(15) {
		node.Labels[corev1.LabelFailureDomainBetaZone] = r.zone()
	}
	if r.chance(30) {
		node.Labels["disk"] = pick(r, "fast", "slow")
	}
	if r.chance(15) {
		node.Spec.Taints = []corev1.Taint{{Key: "size", Value: pick(r, "1", "5", "9", "05", "-0", "x"), Effect: r.effect()}}
	}
	if r.chance(50) {
		node.Status.DeclaredFeatures = []string{"RestartAllContainersOnContainerExits", "VolumeBindMountOptions"}
	}
	return node
}

func (r *random) csiNode(name string) *storagev1.CSINode {
	node := &storagev1.CSINode{TypeMeta: typed("storage.k8s.io/v1", "CSINode"), ObjectMeta: metav1.ObjectMeta{Name: name}}
	if r.chance(60) {
		node.Annotations = map[string]string{migrated: pick(r, "kubernetes.io/aws-ebs", "kubernetes.io/aws-ebs,kubernetes.io/gce-pd")}
	}
	for _, driver := range []string{"csi.x", "csi.y", ebsDriver} {
		if !r.chance(80) {
			continue
		}
		one := storagev1.CSINodeDriver{Name: driver, NodeID: name}
		if r.chance(70) {
			one.Allocatable = &storagev1.VolumeNodeResources{Count: ptr.To(pick(r, int32(0), 1, 2, 3, 3, 20))}
		}
		node.Spec.Drivers = append(node.Spec.Drivers, one)
	}
	return node
}

func (r *random) addClasses(s *storageScene) {
	for _, driver := range []string{"csi.x", "csi.y"} {
		if !r.chance(85) {
			continue
		}
		s.add(&storagev1.CSIDriver{TypeMeta: typed("storage.k8s.io/v1", "CSIDriver"), ObjectMeta: metav1.ObjectMeta{Name: driver},
			Spec: storagev1.CSIDriverSpec{StorageCapacity: pick(r, nil, ptr.To(false), ptr.To(true), ptr.To(true)),
				PreventPodSchedulingIfMissing: pick(r, nil, ptr.To(false), ptr.To(true))}})
	}
	for _, class := range []struct {
		name, provisioner string
		mode              storagev1.VolumeBindingMode
	}{
		{"wait-x", "csi.x", storagev1.VolumeBindingWaitForFirstConsumer},
		{"wait-y", "csi.y", storagev1.VolumeBindingWaitForFirstConsumer},
		{"local", "kubernetes.io/no-provisioner", storagev1.VolumeBindingWaitForFirstConsumer},
		{"ebs", "kubernetes.io/aws-ebs", storagev1.VolumeBindingWaitForFirstConsumer},
		{"now", "csi.x", storagev1.VolumeBindingImmediate},
	} {
		one := &storagev1.StorageClass{TypeMeta: typed("storage.k8s.io/v1", "StorageClass"), ObjectMeta: metav1.ObjectMeta{Name: class.name},
			Provisioner: class.provisioner, VolumeBindingMode: &class.mode}
		if r.chance(35) {
			one.AllowedTopologies = append(some(r, 2, r.topologyTerm), r.topologyTerm())
		}
		if r.chance(95) {
			s.add(one)
		}
	}
	for i := range r.IntN(5) {
		s.add(r.capacity(i))
	}
}

func (r *random) topologyTerm() corev1.TopologySelectorTerm {
	return corev1.TopologySelectorTerm{MatchLabelExpressions: some(r, 2, func() corev1.TopologySelectorLabelRequirement {
		return corev1.TopologySelectorLabelRequirement{Key: pick(r, zoneLabel, zoneLabel, "disk"), Values: pick(r, []string{"a", "b", "fast"}, []string{"c", "fast"}, []string{"a"})}
	})}
}

func (r *random) capacity(number int) *storagev1.CSIStorageCapacity {
	one := &storagev1.CSIStorageCapacity{TypeMeta: typed("storage.k8s.io/v1", "CSIStorageCapacity"),
		ObjectMeta:       metav1.ObjectMeta{Name: fmt.Sprint("cap", number), Namespace: pick(r, "default", "kube-system")},
		StorageClassName: pick(r, "wait-x", "wait-y"), Capacity: ptr.To(r.size())}
	if r.chance(30) {
		one.MaximumVolumeSize = ptr.To(r.size())
	}
	if r.chance(10) {
		one.Capacity = nil
	}
	if r.chance(90) {
		one.NodeTopology = &metav1.LabelSelector{}
		if r.chance(70) {
			one.NodeTopology.MatchLabels = map[string]string{zoneLabel: r.zone()}
		}
	}
	return one
}

func (r *random) size() resource.Quantity {
	return resource.MustParse(pick(r, "1Gi", "2Gi", "2G", "5Gi", "10Gi", "0.5Gi"))
}

func (r *random) accessModes() []corev1.PersistentVolumeAccessMode {
	return pick(r, []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce}, []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce},
		[]corev1.PersistentVolumeAccessMode{corev1.ReadWriteMany, corev1.ReadWriteOnce}, []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOncePod})
}

func (r *random) volumeMode() *corev1.PersistentVolumeMode {
	return pick(r, nil, nil, nil, ptr.To(corev1.PersistentVolumeFilesystem), ptr.To(corev1.PersistentVolumeBlock))
}

func (r *random) className() string {
	return pick(r, "wait-x", "wait-x", "wait-y", "local", "local", "ebs")
}

// persistentVolume has a size of its own, as the scheduler looks at those of one size in no order.
func (r *random) persistentVolume(number int) *corev1.PersistentVolume {
	sizes := []string{"1Gi", "2Gi", "3Gi", "5Gi", "8Gi", "12Gi"}
	volume := &corev1.PersistentVolume{TypeMeta: typed("v1", "PersistentVolume"),
		ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprint("v", number), Labels: map[string]string{}}}
	spec := &volume.Spec
	spec.Capacity = corev1.ResourceList{corev1.ResourceStorage: resource.MustParse(sizes[number])}
	spec.AccessModes, spec.VolumeMode = r.accessModes(), r.volumeMode()
	spec.StorageClassName = r.className()
	spec.VolumeAttributesClassName = pick(r, nil, nil, nil, nil, nil, nil, ptr.To("gold"))
	spec.CSI = &corev1.CSIPersistentVolumeSource{Driver: pick(r, "csi.x", "csi.x", "csi.y", ebsDriver), VolumeHandle: fmt.Sprint("h", r.IntN(5))}
	if r.chance(15) {
		spec.PersistentVolumeSource = corev1.PersistentVolumeSource{NFS: &corev1.NFSVolumeSource{Server: "s", Path: "/"}}
	}
	volume.Status.Phase = pick(r, corev1.VolumeAvailable, corev1.VolumeAvailable, corev1.VolumeAvailable, corev1.VolumeBound, corev1.VolumeReleased)
	if r.chance(30) {
		spec.ClaimRef = &corev1.ObjectReference{Namespace: "default", Name: pick(r, "c0", "c1", "c2"), UID: pick(r, types.UID(""), "uid-c0", "uid-c1", "uid-c2")}
	}
	if r.chance(60) {
		required := &corev1.NodeSelector{NodeSelectorTerms: append(some(r, 1, r.volumeTerm), r.volumeTerm())}
		spec.NodeAffinity = &corev1.VolumeNodeAffinity{Required: required}
	}
	if r.chance(25) {
		volume.Labels[pick(r, zoneLabel, zoneLabel, corev1.LabelFailureDomainBetaZone, corev1.LabelTopologyRegion)] = pick(r, "a", "b", "c", "a__b", "b__", " a__c")
	}
	if r.chance(40) {
		volume.Labels["kind"] = pick(r, "ssd", "hdd")
	}
	if r.chance(5) {
		volume.DeletionTimestamp = &metav1.Time{Time: time.Unix(1_700_000_000, 0)}
	}
	if r.chance(3) {
		volume.Annotations = map[string]string{corev1.BetaStorageClassAnnotation: r.className()}
	}
	return volume
}

func (r *random) volumeTerm() corev1.NodeSelectorTerm {
	return corev1.NodeSelectorTerm{MatchExpressions: some(r, 2, func() corev1.NodeSelectorRequirement {
		if r.chance(30) {
			return corev1.NodeSelectorRequirement{Key: "kubernetes.io/hostname", Operator: corev1.NodeSelectorOpIn, Values: []string{pick(r, "n0", "n1")}}
		}
		return corev1.NodeSelectorRequirement{Key: pick(r, zoneLabel, zoneLabel, "disk"), Operator: pick(r, corev1.NodeSelectorOpIn, corev1.NodeSelectorOpIn,
			corev1.NodeSelectorOpNotIn), Values: pick(r, []string{"a", "fast"}, []string{"b"}, []string{"a", "b"})}
	})}
}

func (r *random) volumeClaim(name string) *corev1.PersistentVolumeClaim {
	claim := &corev1.PersistentVolumeClaim{TypeMeta: typed("v1", "PersistentVolumeClaim"),
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name, UID: types.UID("uid-" + name), Annotations: map[string]string{}}}
	spec := &claim.Spec
	spec.AccessModes, spec.VolumeMode = r.accessModes(), r.volumeMode()
	spec.StorageClassName = ptr.To(r.className())
	if r.chance(95) {
		spec.Resources.Requests = corev1.ResourceList{corev1.ResourceStorage: r.size()}
	}
	if r.chance(5) {
		spec.StorageClassName = pick(r, nil, ptr.To(""), ptr.To("now"), ptr.To("absent"))
	}
	if r.chance(15) {
		spec.Selector = &metav1.LabelSelector{}
		if r.chance(80) {
			spec.Selector.MatchLabels = map[string]string{"kind": pick(r, "ssd", "hdd")}
		}
	}
	spec.VolumeAttributesClassName = pick(r, nil, nil, nil, nil, nil, nil, nil, nil, ptr.To(""), ptr.To("gold"))
	claim.Status.Phase = corev1.ClaimPending
	if r.chance(50) {
		spec.VolumeName = pick(r, "v0", "v1", "v2", "v3")
		claim.Status.Phase = corev1.ClaimBound
		if r.chance(97) {
			claim.Annotations[bindCompleted] = "yes"
		}
	} else if r.chance(15) {
		claim.Annotations[selectedNode] = pick(r, "n0", "n1")
	}
	if r.chance(2) {
		claim.Status.Phase = corev1.ClaimLost
	}
	if r.chance(2) {
		claim.DeletionTimestamp = &metav1.Time{Time: time.Unix(1_700_000_000, 0)}
	}
	if name == "p-e" && r.chance(90) {
		claim.OwnerReferences = []metav1.OwnerReference{{APIVersion: "v1", Kind: "Pod", Name: "p", UID: pick(r, types.UID("uid-p"), "uid-p", "uid-p", "uid-p", "uid-q"), Controller: ptr.To(true)}}
	}
	return claim
}

func (r *random) storageVolume(number int, asks bool) corev1.Volume {
	volume := corev1.Volume{Name: fmt.Sprint("v", number)}
	source := &volume.VolumeSource
	switch at := r.IntN(100); {
	case at < 56:
		name := pick(r, "c0", "c1", "c2", "c3")
		source.PersistentVolumeClaim = &corev1.PersistentVolumeClaimVolumeSource{ClaimName: name}
	case at < 66:
		source.AWSElasticBlockStore = &corev1.AWSElasticBlockStoreVolumeSource{VolumeID: pick(r, "vol-1", "vol-2", "vol-3")}
	case at < 74:
		source.GCEPersistentDisk = &corev1.GCEPersistentDiskVolumeSource{PDName: pick(r, "d1", "d2"), ReadOnly: r.chance(50)}
	case at < 79:
		source.ISCSI = &corev1.ISCSIVolumeSource{TargetPortal: "t", IQN: pick(r, "i1", "i2"), ReadOnly: r.chance(50)}
	case at < 86:
		source.RBD = &corev1.RBDVolumeSource{CephMonitors: pick(r, []string{"m1"}, []string{"m1", "m2"}, []string{"m3"}), RBDImage: "i", RBDPool: pick(r, "a", "b"), ReadOnly: r.chance(50)}
	case at < 92 && asks:
		volume.Name = "e"
		source.Ephemeral = &corev1.EphemeralVolumeSource{VolumeClaimTemplate: &corev1.PersistentVolumeClaimTemplate{}}
	default:
		source.EmptyDir = &corev1.EmptyDirVolumeSource{}
	}
	return volume
}

func (r *random) storagePod(name, node string) *corev1.Pod {
	pod := &corev1.Pod{TypeMeta: typed("v1", "Pod"), ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name}}
	asks := name == "p"
	pod.UID = "uid-p"
	if !asks {
		pod.UID = "uid-other"
		pod.Namespace = pick(r, "default", "default", "default", "default", "ml")
	}
	pod.Spec.NodeName = node
	pod.Spec.Containers = []corev1.Container{{Name: "c", Image: "none"}}
	for i := range 1 + r.IntN(3) {
		pod.Spec.Volumes = append(pod.Spec.Volumes, r.storageVolume(i, asks))
	}
	if !asks && r.chance(10) {
		pod.Status.Phase = pick(r, corev1.PodSucceeded, corev1.PodFailed)
	}
	if asks {
		pod.Spec.Tolerations = some(r, 2, func() corev1.Toleration {
			return corev1.Toleration{Key: pick(r, "size", "size", ""), Operator: pick(r, corev1.TolerationOpLt, corev1.TolerationOpGt, corev1.TolerationOpEqual),
				Value: pick(r, "1", "5", "9", "05", "-7", "")}
		})
		if r.chance(10) {
			pod.Spec.Containers[0].RestartPolicyRules = []corev1.ContainerRestartRule{{Action: corev1.ContainerRestartRuleActionRestartAllContainers}}
		}
		if r.chance(5) {
			pod.Spec.HostNetwork, pod.Spec.HostUsers = true, ptr.To(false)
		}
	}
	return pod
}

func (r *random) attachment(number int) *storagev1.VolumeAttachment {
	one := &storagev1.VolumeAttachment{TypeMeta: typed("storage.k8s.io/v1", "VolumeAttachment"), ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprint("a", number)}}
	one.Spec.Attacher = pick(r, "csi.x", "csi.y", "")
	one.Spec.NodeName = pick(r, "n0", "n1")
	if r.chance(90) {
		one.Spec.Source.PersistentVolumeName = ptr.To(pick(r, "v0", "v1", "v2", "v9"))
	}
	return one
}
