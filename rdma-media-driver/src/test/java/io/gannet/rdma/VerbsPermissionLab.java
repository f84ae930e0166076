package io.gannet.rdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gannet.lab.LabGuest;
import io.gannet.rdma.verbs.VerbsDevice;
import io.gannet.rdma.verbs.VerbsOptions;
import org.junit.jupiter.api.Test;

/**
 * A user who may not use the device's node, though the connection manager's.
 */
class VerbsPermissionLab
{
    @Test
    void nodeAndRemedyAreNamed()
    {
        assertThatThrownBy(() -> VerbsDevice.open(VerbsOptions.ANY.withAddress(LabGuest.address(1))))
            .isInstanceOfSatisfying(RdmaException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EACCES))
            .hasMessageStartingWith("no permission for /dev/infiniband/uverbs0: ");
    }
}
