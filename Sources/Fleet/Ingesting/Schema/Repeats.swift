/// Version 16: a box whose backup was restored on another disk tells no visit a second time.
enum Repeats {
    static let sql = Sequences.take(version: 16)

    /// What the box had ended after the backup it ends once more, in another log: that exit has no stay, for
    /// the visit has been told. A statement of its own, since one that may look into every partition costs a
    /// batch as much as its rows; it is for logs that begin where another one of the box goes on, and the
    /// partitions before the visit cannot have it.
    static let block = """
        IF EXISTS (
                    -- By key for each row, whatever the statistics say: hence LIMIT and OFFSET.
                    SELECT FROM unnest(ids, logs, prevs, kinds) AS i (box, log, prev, kind)
                    LEFT JOIN LATERAL (
                        SELECT first_seq FROM fleet.box_log WHERE box = i.box AND log = i.log LIMIT 1)
                        AS o ON true
                    WHERE i.kind = 'exit' AND coalesce(o.first_seq, i.prev + 1) > 1 AND EXISTS (
                        SELECT FROM fleet.box_log l WHERE l.box = i.box AND l.log <> i.log
                            AND l.last_seq >= coalesce(o.first_seq, i.prev + 1) OFFSET 0)) THEN
                WITH incoming AS MATERIALIZED (
                    SELECT i.*, i.at - i.stay * interval '1 second' AS since
                    FROM unnest(owners, ids, logs, currents, ats, kinds, fences, stays) WITH ORDINALITY
                        AS i (tenant, box, log, current, at, kind, fence, stay, place))
                SELECT array_agg(CASE WHEN i.kind = 'exit' AND i.stay IS NOT NULL AND (
                        EXISTS (
                            SELECT FROM fleet.event e
                            WHERE e.tenant = i.tenant AND e.box = i.box AND e.fence = i.fence
                                AND e.log <> i.log AND kind = 'exit' AND stay IS NOT NULL
                                AND \(Views.entered) BETWEEN i.since - interval '1 second'
                                    AND i.since + interval '1 second'
                                AND at >= i.since - interval '1 second')
                        OR i.log = i.current AND EXISTS (
                            SELECT FROM incoming j
                            WHERE j.box = i.box AND j.fence = i.fence AND j.log <> i.log
                                AND j.kind = 'exit' AND j.since - i.since BETWEEN '-1 second' AND '1 second'))
                    THEN NULL ELSE i.stay END ORDER BY i.place)
                    INTO stays FROM incoming i;
            END IF;
        """
}
