"use client";

import { Anchor, Button, Stack } from "@mantine/core";
import { IconKey, IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useState } from "react";
import { EmptyState } from "../../_components/empty-state";
import { PageHeader } from "../../_components/page-header";
import { Panel } from "../../_components/panel";
import { ProblemNotice } from "../../_components/problem-notice";
import { RowSkeletons } from "../../_components/row-skeletons";
import { useApi } from "../../_trpc/client";
import { KeyTable } from "./key-table";
import { NewKeyDialog } from "./new-key-dialog";

/** The tenant's API keys, and the way to make one. */
export function ApiKeys() {
  const keys = useQuery(useApi().tenants.apiKeys.queryOptions());
  const [isMaking, setMaking] = useState(false);
  const make = (
    <Button leftSection={<IconPlus size={16} aria-hidden="true" />} onClick={() => setMaking(true)}>
      New key
    </Button>
  );
  return (
    <>
      <PageHeader
        title="API keys"
        description={
          <>
            Ways in for your own programs.{" "}
            <Anchor component={Link} href="/api-reference" inherit underline="always">
              What they can ask
            </Anchor>
          </>
        }
        action={make}
      />
      <Stack gap="lg">
        {keys.isError && (
          <ProblemNotice title="The keys could not be read" error={keys.error} onRetry={() => keys.refetch()} />
        )}
        {keys.isPending && <RowSkeletons rows={4} />}
        {keys.data?.length === 0 && (
          <EmptyState icon={IconKey} title="No keys yet" action={make}>
            A key lets one program of yours submit packets and fetch what was made. Give each program a key of its own,
            so that you can revoke one without stopping the others.
          </EmptyState>
        )}
        {keys.data !== undefined && keys.data.length > 0 && (
          <Panel title="Keys">
            <KeyTable keys={keys.data} />
          </Panel>
        )}
      </Stack>
      <NewKeyDialog isOpen={isMaking} onClose={() => setMaking(false)} />
    </>
  );
}
