#!/bin/bash
# The driver is what was found serving, not what was asked for.
. "$(dirname "$0")/system.sh"
need_loop
need_tool ntfs-3g ntfs-3g
need_tool lowntfs-3g ntfs-3g
mkdir "$scratch/bin"
printf '#!/bin/sh\nexec lowntfs-3g "$@"\n' > "$scratch/bin/ntfs-3g"
chmod +x "$scratch/bin/ntfs-3g"
PATH=$scratch/bin:$PATH expect 1 -t ntfs -d ntfs-3g "$scratch/a.img"
says .err "wanted driver ntfs-3g, mounted by lowntfs-3g"
expect_no_traces

# A kernel that has the driver would rightly mount it.
if ! grep -qw ntfs3 /proc/filesystems && ! modprobe -n ntfs3 2> /dev/null; then
    expect 77 -t ntfs -d ntfs3 "$scratch/a.img"
    says .err "no driver ntfs3 in this kernel"
fi
