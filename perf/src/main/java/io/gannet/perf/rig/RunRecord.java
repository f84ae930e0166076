package io.gannet.perf.rig;

import java.util.Map;

/**
 * A finished run.
 *
 * @param machine       where and when.
 * @param configuration how.
 * @param results       what came out.
 */
public record RunRecord(Map<String, String> machine, Map<String, String> configuration, Results results)
{
}
