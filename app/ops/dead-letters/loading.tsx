import { Skeleton, Stack } from "@mantine/core";
import { RowSkeletons } from "../../_components/row-skeletons";

export default function Loading() {
  return (
    <Stack gap="lg">
      <Skeleton height={32} width={180} />
      <RowSkeletons />
    </Stack>
  );
}
