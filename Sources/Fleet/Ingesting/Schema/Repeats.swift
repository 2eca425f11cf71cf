/// Version 16: a box whose backup was restored on another disk tells no visit a second time.
enum Repeats {
    static let sql = Sequences.take(version: 16)

    /// The stay of `i`, one of `incoming`. What the box had ended after the backup it ends once more, in
    /// another log: that exit has no stay, for the visit has been told. Only of a box that has had another
    /// log is looked for it; the partitions before the visit cannot have it.
    static let stay = """
        CASE WHEN i.kind <> 'exit' OR i.stay IS NULL OR NOT EXISTS (
                        SELECT FROM fleet.box_log l WHERE l.box = i.box AND l.log <> i.log)
                    THEN i.stay
                    WHEN EXISTS (
                        SELECT FROM fleet.event e
                        WHERE e.tenant = i.tenant AND e.box = i.box AND e.fence = i.fence AND e.log <> i.log
                            AND kind = 'exit' AND stay IS NOT NULL
                            AND \(Views.entered) BETWEEN i.at - i.stay - interval '1 second'
                                AND i.at - i.stay + interval '1 second'
                            AND at >= i.at - i.stay - interval '1 second')
                    OR i.log = i.current AND EXISTS (
                        SELECT FROM incoming j
                        WHERE j.box = i.box AND j.fence = i.fence AND j.log <> i.log AND j.kind = 'exit'
                            AND (j.at - j.stay) - (i.at - i.stay) BETWEEN '-1 second' AND '1 second')
                    THEN NULL ELSE i.stay END
        """
}
