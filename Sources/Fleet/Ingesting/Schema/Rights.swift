/// Version 18: nobody who may connect fills the disk, or writes about boxes of others.
enum Rights {
    static let sql = """
        -- A keeper ends stays of boxes of the tenant that the row names: the key of a row has no tenant.
        CREATE POLICY own_box ON fleet.ended AS RESTRICTIVE FOR INSERT WITH CHECK (
            EXISTS (SELECT FROM fleet.box b WHERE b.id = ended.box AND b.tenant = ended.tenant));

        -- Everybody may make large objects, also where tables cannot be made. Only who owns these
        -- functions can take that away: the superuser.
        DO $$
        BEGIN
            IF (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN
                REVOKE EXECUTE ON FUNCTION lo_creat(int), lo_create(oid), lo_from_bytea(oid, bytea),
                    lo_put(oid, bigint, bytea), lowrite(int, bytea), lo_truncate(int, int),
                    lo_truncate64(int, bigint) FROM PUBLIC;
            END IF;
        END $$;
        """
}
