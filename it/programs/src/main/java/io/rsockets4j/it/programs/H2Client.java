/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.it.programs;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** JDBC over H2's own protocol: many small statements in a batch, and large objects. */
final class H2Client {
    private static final int ROWS = 20_000;

    private H2Client() { }

    /**
     * Writes, reads, and compares.
     *
     * @param args the database's JDBC URL
     */
    public static void main(String[] args) throws SQLException, IOException {
        try (Connection connection = DriverManager.getConnection(args[0], "sa", "");
                Statement statement = connection.createStatement()) {
            statement.execute("create table content(length int primary key, bytes blob)");
            insert(connection, Content.LARGE);
            insertMany(connection);
        }
        try (Connection connection = DriverManager.getConnection(args[0], "sa", "")) {
            compare(connection);
        }
    }

    private static void insert(Connection connection, int length) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("insert into content values(?, ?)")) {
            insert.setInt(1, length);
            insert.setBinaryStream(2, new ByteArrayInputStream(Content.bytes(length)));
            insert.executeUpdate();
        }
    }

    private static void insertMany(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        try (PreparedStatement insert = connection.prepareStatement("insert into content values(?, ?)")) {
            for (int length = 0; length < ROWS; length++) {
                insert.setInt(1, length);
                insert.setBytes(2, Content.bytes(length % Content.SMALL));
                insert.addBatch();
            }
            insert.executeBatch();
        }
        connection.commit();
    }

    private static void compare(Connection connection) throws SQLException, IOException {
        int rows = 0;
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("select length, bytes from content order by length")) {
            for (; result.next(); rows++) {
                int length = result.getInt(1);
                try (InputStream in = result.getBinaryStream(2)) {
                    Content.check("row " + rows, Content.digest(in), length < ROWS ? length % Content.SMALL : length);
                }
            }
        }
        if (rows != ROWS + 1) {
            throw new IllegalStateException("wrote " + (ROWS + 1) + " rows, read " + rows);
        }
    }
}
